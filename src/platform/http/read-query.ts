import { isUtf8 } from 'node:buffer'

/** Characters outside ASCII have only such bytes in UTF-8, so that each run is valid or not by itself. */
const encodedBytes = /(?:%[89a-f][\da-f])+/gi
/** A NUL, which the validation refuses at its parameter. */
const unreadable = '%00'

/**
 * Parses a query. Bytes that are not UTF-8, such as `%FC` for ü, become a NUL: as U+FFFD, a filter by them would be valid,
 * and find nothing.
 */
export const readQuery = (text: string): URLSearchParams =>
  new URLSearchParams(
    text.replace(encodedBytes, (run) =>
      isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex')) ? run : unreadable,
    ),
  )
