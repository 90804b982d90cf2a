# Installs the build into an empty folder, builds the downstream project against it and runs it.
foreach(step "${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/installed"
    "${CMAKE_COMMAND} -S ${SOURCE}/tests/downstream -B ${WORK}/build -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/installed -DCMAKE_BUILD_TYPE=Release"
    "${CMAKE_COMMAND} --build ${WORK}/build")
  separate_arguments(words UNIX_COMMAND "${step}")
  execute_process(COMMAND ${words} OUTPUT_VARIABLE said ERROR_VARIABLE said RESULT_VARIABLE code)
  if(code)
    message(FATAL_ERROR "${step}\n${said}")
  endif()
endforeach()
file(WRITE ${WORK}/jobs.csv "job_id,submit,gpus,duration\na,0,1,10\nb,0,1,20\n")
execute_process(COMMAND ${WORK}/build/downstream ${WORK}/jobs.csv 1x1 fifo OUTPUT_VARIABLE said RESULT_VARIABLE code)
if(NOT said STREQUAL "2 finished, mean JCT 20 s\n") # a ends at 10, b at 30
  message(FATAL_ERROR "downstream said (exit ${code}): ${said}")
endif()
execute_process(COMMAND ${WORK}/installed/bin/orrery --version RESULT_VARIABLE code)
if(code)
  message(FATAL_ERROR "the installed program does not start: ${code}")
endif()
