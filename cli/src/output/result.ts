import { type Io, write } from '../io.ts'
import { cellOf, isFilled, memberAt, membersOf } from './cell.ts'
import { csvLine } from './csv.ts'
import { objectLines } from './object.ts'
import { type Style, styleOf } from './style.ts'
import { Table } from './table.ts'
import { jsonOf, visible, visibleLines } from './visible.ts'

export type Format = 'table' | 'json' | 'jsonl' | 'csv' | 'id'

/** The members of an answer that decide how it is printed. */
export type Shape = {
  /** The member that `-o id` prints; by default the first id. */
  idMember?: string | undefined
  /** The member with the list that the answer consists of. */
  listMember?: string | undefined
}

/** How a command prints its result on standard output. */
export class Result {
  readonly #io: Io
  readonly #style: Style
  readonly #wanted: readonly string[] | null
  readonly format: Format

  /** @param columns the fields for tables and CSV, with commas between them */
  constructor(io: Io, format: Format | undefined, columns: string | undefined) {
    this.#io = io
    this.#style = styleOf(io, io.stdout)
    this.#wanted = columns === undefined ? null : columns.split(',').map((name) => name.trim())
    this.format = format ?? (io.stdout.isTTY ? 'table' : 'json')
  }

  /** Prints the items of pages as they arrive, so that memory has only one page. */
  async pages(pages: AsyncIterable<readonly unknown[]>, { idMember }: Shape = {}): Promise<void> {
    const table = new Table(this.#style, this.#wanted)
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
        const isFirst = count === 0
        names ??= [...new Set(items.flatMap((item) => Object.keys(membersOf(item))))]
        const rows = items.map((item) => names!.map((name) => memberAt(item, name)))
        await this.#csv(isFirst ? [names, ...rows] : rows)
      }
      count += items.length
    }
    if (this.format === 'json') await write(this.#io.stdout, count > 0 ? '\n]\n' : '[]\n')
    if (count === 0) await this.#hint('There are none.')
    if (table.hidden > 0)
      await this.#hint(
        `${table.hidden} more ${table.hidden === 1 ? 'column' : 'columns'}: -o json, or --columns.`,
      )
  }

  /** Prints one value. A list becomes rows. */
  async value(value: unknown, shape: Shape = {}): Promise<void> {
    if (this.format === 'json') return this.#print([jsonOf(value, 2)])
    const { [shape.listMember ?? '']: list, ...others } = membersOf(value)
    if (Array.isArray(value)) return this.pages(onePage(value), shape)
    if (Array.isArray(list)) {
      await this.pages(onePage(list), shape)
      for (const [name, one] of Object.entries(others))
        if (isFilled(one)) await this.#hint(`${visible(name)}: ${cellOf(name, one)}`)
    } else if (this.format === 'table') await this.#print(objectLines(value, this.#style, this.#wanted))
    else await this.pages(onePage([value]), shape)
  }

  /** Tells people about the result, on standard error. */
  async #hint(text: string): Promise<void> {
    if (this.#io.stdout.isTTY && this.format === 'table')
      await write(this.#io.stderr, `${styleOf(this.#io, this.#io.stderr).dim(text)}\n`)
  }

  #print(lines: readonly string[]): Promise<void> {
    return lines.length > 0 ? write(this.#io.stdout, `${lines.join('\n')}\n`) : Promise.resolve()
  }

  #csv(rows: readonly (readonly unknown[])[]): Promise<void> {
    const text = rows.map(csvLine).join('')
    return write(this.#io.stdout, this.#io.stdout.isTTY ? visibleLines(text) : text)
  }
}

async function* onePage(items: readonly unknown[]): AsyncGenerator<readonly unknown[]> {
  yield items
}

function idOf(item: unknown, member: string | undefined): string {
  const members = membersOf(item)
  const name = member && member in members ? member : Object.keys(members).find((one) => one.endsWith('_id'))
  return name === undefined ? visible(JSON.stringify(item)) : cellOf(name, members[name])
}
