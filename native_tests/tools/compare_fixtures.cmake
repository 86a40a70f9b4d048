# Runs make_fixtures into FOLDER and compares every file with the committed one.
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${PROGRAM} ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
foreach(name fixture-f32.gguf fixture-f16.gguf fixture.bin tokenizer.bin)
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${FOLDER}/${name} ${COMMITTED}/${name} RESULT_VARIABLE differs)
  if(differs)
    message(FATAL_ERROR "${name} differs from the committed fixture")
  endif()
endforeach()
