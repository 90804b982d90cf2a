# Language, dependencies and the one function that declares a module.
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# -O2 generic: -O3 and -march=native are within the noise (docs/performance.md). Assertions stay on: ORRERY_CHECK does not look at NDEBUG.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

find_package(Boost 1.74 REQUIRED COMPONENTS iostreams)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(valijson REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(Threads REQUIRED)

include(Warnings)
include(Sanitizers)
if(ORRERY_TIDY)
  set(CMAKE_CXX_CLANG_TIDY clang-tidy)
endif()

# orrery_module(engine SOURCES ... LINKS ...): the static library of one row of the module table (docs/architecture.md). LINKS are the
# modules and libraries whose headers the row may include, so the build file draws the same picture.
function(orrery_module name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(orrery_${name} STATIC ${arg_SOURCES})
  add_library(orrery::${name} ALIAS orrery_${name})
  target_include_directories(orrery_${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(orrery_${name} PUBLIC ${arg_LINKS}
    PRIVATE ${arg_PRIVATE_LINKS} $<BUILD_INTERFACE:orrery_warnings>)
  target_compile_features(orrery_${name} PUBLIC cxx_std_20)
  set_target_properties(orrery_${name} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY ORRERY_MODULES orrery_${name})
endfunction()
