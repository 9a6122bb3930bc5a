import { cellOf, isFilled, memberAt, membersOf } from './cell.ts'
import type { Style } from './style.ts'
import { visible } from './visible.ts'
import { cut, padded, widthOf } from './width.ts'

const gap = '  '
/** A text gets at most this share of the terminal. */
const widestShare = 0.3

type Column = { name: string; width: number }

/**
 * Prints rows as a table that fits the terminal. The first rows decide about its columns. Columns without values, and
 * those for which there is no room, are left out.
 */
export class Table {
  readonly #style: Style
  readonly #wanted: readonly string[] | null
  #columns: Column[] | null = null
  /** How many columns with values have no room. */
  hidden = 0

  /** @param wanted the columns that the person asked for; null: the columns that fit */
  constructor(style: Style, wanted: readonly string[] | null) {
    this.#style = style
    this.#wanted = wanted
  }

  lines(rows: readonly unknown[]): string[] {
    if (this.#style.isPlain) return this.#paragraphs(rows)
    const isFirst = this.#columns === null
    this.#columns ??= this.#choose(rows)
    const columns = this.#columns
    const head = columns.map(({ name, width }) => this.#style.bold(padded(visible(name), width))).join(gap)
    return [...(isFirst && columns.length > 0 ? [head.trimEnd()] : []), ...rows.map((row) => this.#line(row))]
  }

  #line(row: unknown): string {
    const cells = this.#columns!.map(({ name, width }) =>
      padded(cut(cellOf(name, memberAt(row, name)), width), width),
    )
    return cells.join(gap).trimEnd()
  }

  #choose(rows: readonly unknown[]): Column[] {
    const names = this.#wanted ?? namesOf(rows)
    const columns: Column[] = []
    const all = this.#style.isTerminal ? this.#style.width : Number.POSITIVE_INFINITY
    let left = all
    for (const name of names) {
      const headWidth = widthOf(visible(name))
      const widths = rows.map((row) => widthOf(cellOf(name, memberAt(row, name))))
      const needed = Math.max(headWidth, ...widths)
      // An id is copied, so it is never cut.
      const width = name.endsWith('_id') ? needed : Math.min(Math.max(headWidth, all * widestShare), needed)
      if (width > left && !this.#wanted) {
        this.hidden++
        continue
      }
      columns.push({ name, width })
      left -= width + gap.length
    }
    return columns
  }

  /** Each row as lines of `name: value`, for screen readers. */
  #paragraphs(rows: readonly unknown[]): string[] {
    return rows.flatMap((row) => {
      const members = membersOf(row)
      const names = this.#wanted ?? Object.keys(members).filter((name) => isFilled(members[name]))
      return [...names.map((name) => `${visible(name)}: ${cellOf(name, memberAt(row, name))}`), '']
    })
  }
}

/**
 * The columns: the id of the row, then other members, then other ids. A member is a column if some row has a value of
 * it that is not an object.
 */
function namesOf(rows: readonly unknown[]): string[] {
  const found = new Set<string>()
  for (const row of rows)
    for (const [name, value] of Object.entries(membersOf(row)))
      if (cellOf(name, value) !== '' && (Array.isArray(value) || typeof value !== 'object')) found.add(name)
  const names = [...found]
  const isOtherId = (name: string, at: number) => at > 0 && name.endsWith('_id')
  return [...names.filter((name, at) => !isOtherId(name, at)), ...names.filter(isOtherId)]
}
