import type { Inspection } from '../../../sdk/src/main.ts'
import { UsageError } from '../exit.ts'
import type { Style } from '../output/style.ts'
import { visible } from '../output/visible.ts'
import { cut, padded, widthOf } from '../output/width.ts'

const widestHeader = 28

/** Returns the fields of `--map column=field`. @throws UsageError */
export function readMap(pairs: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=')
      if (at < 1)
        throw new UsageError(`--map needs a column and a field, such as --map Mail=email, not "${pair}".`)
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

/**
 * The field and a sample of each column.
 * @param given the fields that the person chose, by column
 */
export function mappingLines(
  { columns, mapping, encoding, delimiter, source, has_header }: Inspection,
  given: Readonly<Record<string, string>>,
  style: Style,
): string[] {
  const rows = columns.map(({ header, position, field, samples }) => {
    const chosen = given[header] ?? given[`#${position}`] ?? mapping[header] ?? mapping[`#${position}`]
    const name = cut(visible(header || `column ${position}`), widestHeader)
    return { name, field: visible(chosen ?? field ?? `custom:${header}`), sample: visible(samples[0] ?? '') }
  })
  const width = Math.max(6, ...rows.map(({ name }) => widthOf(name)))
  const fieldWidth = Math.min(widestHeader, Math.max(5, ...rows.map(({ field }) => widthOf(field))))
  const left = Math.max(10, style.width - width - fieldWidth - 6)
  const head = `${padded('Column', width)}  ${padded('Field', fieldWidth)}  First value`
  const file = [
    encoding,
    delimiter && `separated by ${delimiter === '\t' ? 'tabs' : `"${visible(delimiter)}"`}`,
    source && `exported by ${source}`,
  ]
  return [
    style.dim(file.filter(Boolean).join(', ')),
    ...(style.isPlain ? [] : [style.bold(head)]),
    ...rows.map(({ name, field, sample }) =>
      style.isPlain
        ? `Column ${name} goes to ${field}. First value: ${sample || 'none'}`
        : `${padded(name, width)}  ${padded(cut(field, fieldWidth), fieldWidth)}  ${cut(sample, left)}`.trimEnd(),
    ),
    ...(has_header ? [] : [style.bold('The first row looks like values, and is read as the header.')]),
    '',
  ]
}
