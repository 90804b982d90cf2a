# Warnings live on an interface target that every target of ours links privately. Not -Wpedantic: it objects to __int128, which GPU-time
# sums and exact progress need. Not -Wmissing-field-initializers: it objects to designated initialisers that leave a member to its default.
add_library(orrery_warnings INTERFACE)
target_compile_options(orrery_warnings INTERFACE
  -Wall -Wextra -Wno-missing-field-initializers -Wshadow -Wconversion -Wold-style-cast -Woverloaded-virtual -ffp-contract=off
  $<$<BOOL:${ORRERY_WARNINGS_AS_ERRORS}>:-Werror>)
