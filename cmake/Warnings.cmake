# Warnings live on an interface target that every target of ours links privately. Not -Wpedantic: it objects to __int128, which GPU-time
# sums and exact progress need.
add_library(orrery_warnings INTERFACE)
target_compile_options(orrery_warnings INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wold-style-cast -Woverloaded-virtual -ffp-contract=off
  $<$<BOOL:${ORRERY_WARNINGS_AS_ERRORS}>:-Werror>)
