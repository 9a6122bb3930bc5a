import { isUtf8 } from 'node:buffer'

/**
 * A run of percent-encoded bytes of 0x80 or more. In UTF-8, characters outside ASCII consist only of such bytes, so
 * each run can be checked alone.
 */
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
