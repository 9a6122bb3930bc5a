import { archiveProblem } from '../csv/csv.ts'
import { EncodingCheck, encodingNamed } from '../csv/encoding.ts'
import { peekStart } from '../csv/peek-start.ts'
import { OperatorError } from '../platform/report.ts'
import { openFile, readFile } from './import-file.ts'

/**
 * The encoding of a CSV file, determined from all its bytes; undefined for a spreadsheet or an archive. Standard
 * input can be read only once, so its first 64 KiB decide.
 * @throws OperatorError
 */
export async function encodingOfFile(path: string, label: string | undefined): Promise<string | undefined> {
  const named = label === undefined ? undefined : encodingNamed(label)
  if (named === null)
    throw new OperatorError(
      `--encoding must be a name such as utf-8, windows-1252 or utf-16le, not "${label}".`,
    )
  if (path === '-') return named
  await using file = await openFile(path)
  // A pipe can be read only once, too.
  if (file.bytes === null) return named
  const { start, bytes } = await peekStart(readFile(file, () => {}))
  if (archiveProblem(start) !== null) return undefined
  const check = new EncodingCheck(named)
  for await (const chunk of bytes) for (const _ of check.read(Buffer.from(chunk)));
  const result = check.result()
  if ('problem' in result) throw new OperatorError(result.problem)
  return result.encoding
}
