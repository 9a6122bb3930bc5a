import type { Inspection } from '../../../../../sdk/src/generated/types.ts'
import type { Api } from '../../../api/client.ts'
import { locale } from '../../../parts/locale.ts'
import type { ImportedKind } from '../import-words.ts'

/** The API reads this much of a CSV file. With one byte more, it sees that there is more. */
const sampleBytes = 64 * 1024 + 1

/** The API inspects a workbook only as a whole. */
const workbookBytesMax = 2 * 1024 * 1024

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const csvType = 'text/csv'

/** A reason why a file cannot be imported, for the person. */
export class UnfitFile extends Error {}

/** The file as the API expects it. The type that browsers give depends on the programs of the computer. */
export const bodyOf = (file: File, { format }: Pick<Inspection, 'format'>): Blob =>
  file.slice(0, file.size, format === 'xlsx' ? xlsxType : csvType)

/** @throws UnfitFile if the file moved or changed since it was chosen */
export async function requireReadable(file: File): Promise<void> {
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new UnfitFile(
        `“${file.name}” cannot be read. It was moved or changed since you chose it. Choose it again.`,
      )
    })
}

/**
 * Asks the API how it would read a file. Sends only the start of a CSV file.
 * @param encoding how the text is read; empty: the content decides
 * @throws UnfitFile, ApiError
 */
export async function inspectFile(
  api: Api,
  { resource }: ImportedKind,
  file: File,
  encoding: string,
): Promise<Inspection> {
  if (file.size === 0) throw new UnfitFile(`“${file.name}” is empty.`)
  await requireReadable(file)
  const isZip = (await file.slice(0, 4).text()) === 'PK\u0003\u0004'
  if (isZip && file.size > workbookBytesMax)
    throw new UnfitFile(
      `“${file.name}” has ${sizeWords(file.size)}. A workbook can have ${sizeWords(workbookBytesMax)} here. Save it as CSV, which can be much larger.`,
    )
  const inspection = await api[resource].imports.inspect(
    bodyOf(isZip ? file : new File([file.slice(0, sampleBytes)], file.name), {
      format: isZip ? 'xlsx' : 'csv',
    }),
    encoding && !isZip ? { encoding } : {},
  )
  if (file.size > inspection.max_bytes)
    throw new UnfitFile(
      `“${file.name}” has ${sizeWords(file.size)}. The maximum is ${sizeWords(inspection.max_bytes)}. Split it, and import each part.`,
    )
  return inspection
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** For example “3.2 MB”. */
function sizeWords(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1024)))
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(bytes / 1024 ** power)
}
