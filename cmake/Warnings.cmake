# Warnings live on an interface target that every target of ours links privately.
add_library(orrery_warnings INTERFACE)
target_compile_options(orrery_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wold-style-cast -Woverloaded-virtual -ffp-contract=off
  $<$<BOOL:${ORRERY_WARNINGS_AS_ERRORS}>:-Werror>)
# objects to __int128, which GPU-time sums need; __extension__ would have to stand at each use.
target_compile_options(orrery_warnings INTERFACE -Wno-pedantic)
# Not -Wpedantic: it objects to __int128, which GPU-time sums and exact progress need.
