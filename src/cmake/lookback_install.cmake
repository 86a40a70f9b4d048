# cmake --install: libraries, headers, the command, and a package for find_package(lookback).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS lookback lookback_core lookback_kernels lookback_io lookback_tensor lookback_nn lookback_attention lookback_models
        lookback_training
        EXPORT lookback_targets FILE_SET HEADERS)
install(EXPORT lookback_targets NAMESPACE lookback:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lookback
        FILE lookback-config.cmake)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/lookback-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/lookback-config-version.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/lookback)
install(TARGETS lookback_tool)
