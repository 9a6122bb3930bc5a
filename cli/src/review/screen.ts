import type { Merge } from '../../../sdk/src/main.ts'
import { cellOf } from '../output/cell.ts'
import type { Style } from '../output/style.ts'
import { visible } from '../output/visible.ts'
import { broken, cut, padded, widthOf, wrapped } from '../output/width.ts'

/** Below this width, the two records are shown below each other. */
const columnsMin = 80
/** Evidence with less weight changes the odds by less than a factor of two. */
const weightMin = 1
/** Members that the screen leaves out. */
const internal = /^(version|match_keys|merged_ids|links|created_by|import_id)$/

type Row = { name: string; kept: string; absorbed: string }

/** Returns the two records of a proposal, with the evidence. `place`: such as `3 of 12`. */
export function reviewLines(
  merge: Merge,
  records: readonly [object, object],
  place: string,
  style: Style,
): string[] {
  const { entity_type, score, rule, evidence } = merge
  const certainty = [
    score === null ? null : `${Math.round(score * 100)} % sure`,
    rule === null ? null : `rule ${rule.replaceAll('_', ' ')}`,
  ]
  const title = `${place}: the same ${entity_type}? ${certainty.filter(Boolean).join(', ')}`
  const rows = rowsOf(records)
  const isWide = style.width >= columnsMin && !style.isPlain
  const reasons = evidence
    .filter(({ weight }) => Math.abs(weight) >= weightMin)
    .map(
      ({ field, level, weight }) =>
        `${weight < 0 ? 'against' : 'for'}: ${field.replaceAll('_', ' ')} – ${cellOf('', level)}`,
    )
  return [
    ...wrapped(title, style.width).map(style.bold),
    '',
    ...(isWide ? twoColumns(rows, style) : stacked(rows, style)),
    '',
    ...reasons.flatMap((reason) => wrapped(reason, style.width)),
  ]
}

function rowsOf([kept, absorbed]: readonly [object, object]): Row[] {
  const [one, other] = [kept, absorbed] as Record<string, unknown>[]
  const names = [...new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})])]
  return names
    .filter((name) => !internal.test(name))
    .map((name) => ({
      name: visible(name),
      kept: textOf(name, one?.[name]),
      absorbed: textOf(name, other?.[name]),
    }))
    .filter((row) => row.kept !== '' || row.absorbed !== '')
}

/** A value as text, without members that are `unknown`. */
function textOf(name: string, value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return cellOf(name, value)
  return cellOf(name, Object.fromEntries(Object.entries(value).filter(([, one]) => one !== 'unknown')))
}

function twoColumns(rows: readonly Row[], style: Style): string[] {
  const nameWidth = Math.min(18, Math.max(5, ...rows.map(({ name }) => widthOf(name))))
  const width = Math.floor((style.width - nameWidth - 6) / 2)
  const head = `  ${padded('', nameWidth)}  ${padded('Kept', width)}  Absorbed`
  return [
    style.dim(head),
    ...rows.flatMap(({ name, kept, absorbed }) => {
      const isSame = kept === absorbed
      const [left, right] = [broken(kept, width), broken(absorbed, width)]
      return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => {
        const label = padded(at === 0 ? cut(name, nameWidth) : '', nameWidth)
        const line = `${padded(left[at] ?? '', width)}  ${right[at] ?? ''}`.trimEnd()
        // Mark the line with a sign too, for people who do not see bold text.
        return isSame
          ? style.dim(`  ${label}  ${line}`)
          : `${at === 0 ? '≠' : ' '} ${label}  ${style.bold(line)}`
      })
    }),
  ]
}

function stacked(rows: readonly Row[], style: Style): string[] {
  return rows.flatMap(({ name, kept, absorbed }) =>
    kept === absorbed
      ? [style.dim(`${name}: ${kept}, the same in both`)]
      : [`${name} differs`, `  kept: ${kept || 'none'}`, `  absorbed: ${absorbed || 'none'}`],
  )
}
