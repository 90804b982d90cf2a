# Install and export: find_package(orrery) gives orrery::orrery and each module.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
get_property(modules GLOBAL PROPERTY ORRERY_MODULES)
install(TARGETS ${modules} orrery_all EXPORT orreryTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS orrery RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT orreryTargets NAMESPACE orrery:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/orrery)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/orreryConfig.cmake.in ${PROJECT_BINARY_DIR}/orreryConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/orrery)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/orreryConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/orreryConfig.cmake ${PROJECT_BINARY_DIR}/orreryConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/orrery)
