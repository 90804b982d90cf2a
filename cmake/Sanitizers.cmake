# One switch for the asan preset: both sanitizers, library assertions and our own slow checks.
if(ORRERY_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  add_compile_definitions(_GLIBCXX_ASSERTIONS ORRERY_SLOW_CHECKS)
endif()
