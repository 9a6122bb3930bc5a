import { type Io, write } from '../io.ts'
import { cellOf, membersOf } from './cell.ts'
import { csvLine } from './csv.ts'
import { styleOf } from './style.ts'
import { objectLines, Table } from './table.ts'
import { jsonOf, visible } from './visible.ts'

export type Format = 'table' | 'json' | 'jsonl' | 'csv' | 'id'

/** How a command prints its result on standard output. */
export class Result {
  readonly #io: Io
  readonly #wanted: readonly string[] | null
  readonly format: Format

  /** @param columns the members for tables and CSV, with commas between them */
  constructor(io: Io, format: Format | undefined, columns: string | undefined) {
    this.#io = io
    this.#wanted = columns === undefined ? null : columns.split(',').map((name) => name.trim())
    this.format = format ?? (io.stdout.isTTY ? 'table' : 'json')
  }

  #print(lines: readonly string[]): Promise<void> {
    return lines.length > 0 ? write(this.#io.stdout, `${lines.join('\n')}\n`) : Promise.resolve()
  }

  /**
   * Prints the items of pages as they arrive, so that memory has only one page. Returns how many columns of the table
   * had no room.
   */
  async pages(pages: AsyncIterable<readonly unknown[]>, idMember?: string): Promise<number> {
    const table = new Table(styleOf(this.#io, this.#io.stdout), this.#wanted)
    let [count, names] = [0, this.#wanted]
    for await (const items of pages) {
      if (items.length === 0) continue
      if (this.format === 'table') await this.#print(table.lines(items))
      else if (this.format === 'jsonl') await this.#print(items.map((item) => jsonOf(item)))
      else if (this.format === 'id') await this.#print(items.map((item) => idOf(item, idMember)))
      else if (this.format === 'json') {
        const texts = items.map((item) => jsonOf(item, 2).replaceAll(/^/gm, '  '))
        await write(this.#io.stdout, `${count > 0 ? ',' : '['}\n${texts.join(',\n')}`)
      } else {
        const isFirst = names === null || count === 0
        names ??= [...new Set(items.flatMap((item) => Object.keys(membersOf(item))))]
        const lines = items.map((item) => csvLine(names!.map((name) => membersOf(item)[name])))
        await write(this.#io.stdout, (isFirst ? csvLine(names) : '') + lines.join(''))
      }
      count += items.length
    }
    if (this.format === 'json') await write(this.#io.stdout, count > 0 ? '\n]\n' : '[]\n')
    return table.hidden
  }

  /** Prints one value. A list, or an object whose only list it is, becomes rows. */
  async value(value: unknown, idMember?: string): Promise<void> {
    if (this.format === 'json') return this.#print([jsonOf(value, 2)])
    const rows = rowsOf(value)
    if (rows) await this.pages(onePage(rows), idMember)
    else if (this.format === 'table')
      await this.#print(objectLines(value, styleOf(this.#io, this.#io.stdout), this.#wanted))
    else await this.pages(onePage([value]), idMember)
  }
}

async function* onePage(items: readonly unknown[]): AsyncGenerator<readonly unknown[]> {
  yield items
}

/** The rows of a value that is a list, or that has one list of objects and no other member. */
function rowsOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  const [only, ...more] = Object.values(membersOf(value))
  return more.length === 0 && Array.isArray(only) && only.every((one) => typeof one === 'object')
    ? only
    : null
}

function idOf(item: unknown, member: string | undefined): string {
  const members = membersOf(item)
  const name = member && member in members ? member : Object.keys(members).find((one) => one.endsWith('_id'))
  return name === undefined ? visible(JSON.stringify(item)) : cellOf(name, members[name])
}
