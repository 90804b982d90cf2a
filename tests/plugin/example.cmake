# Installs the build into an empty folder, builds examples/plugin against it and uses the policy.
foreach(step "${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed"
    "${CMAKE_COMMAND} -S ${SOURCE}/examples/plugin -B ${WORK}/build -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/installed -DCMAKE_BUILD_TYPE=Release"
    "${CMAKE_COMMAND} --build ${WORK}/build"
    "${WORK}/installed/bin/orrery policy conform widest --plugin ${WORK}/build/widest.so --workloads 200"
    "${WORK}/installed/bin/orrery policy conform widest:first=narrowest --plugin ${WORK}/build/widest.so --workloads 200")
  separate_arguments(words UNIX_COMMAND "${step}")
  execute_process(COMMAND ${words} OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE code)
  if(code)
    message(FATAL_ERROR "${step}\n${said}")
  endif()
endforeach()
# a runs to 10 s. Then both wait: wide (2 GPUs) goes first, though it came later.
file(WRITE ${WORK}/widest.json [[{"name": "wide goes first", "cluster": "1x2", "policy": "widest",
  "jobs": [{"id": "a", "gpus": 2, "run": 10}, {"id": "narrow", "submit": 1, "gpus": 1, "run": 5},
           {"id": "wide", "submit": 2, "gpus": 2, "run": 5}],
  "expect": {"start": {"wide": 10, "narrow": 15}}}]])
execute_process(COMMAND ${WORK}/installed/bin/orrery check --plugin ${WORK}/build/widest.so ${WORK}/widest.json
  OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE code)
if(NOT said STREQUAL "1 passed, 0 failed\n")
  message(FATAL_ERROR "check said (exit ${code}): ${said}")
endif()
