import type { Page, PagePromise } from '../../../sdk/src/main.ts'
import type { Context } from '../context.ts'
import { printFile } from '../output/file.ts'
import type { Operation } from './operation.ts'

/** Prints the answer of an operation. @param total the number of items of a list to print */
export async function printAnswer(
  context: Context,
  { shape, idMember, listMember }: Operation,
  answer: unknown,
  total: number,
): Promise<void> {
  if (shape === 'page') return printPages(context, answer as PagePromise<unknown>, total, idMember)
  const data = await answer
  if (shape === 'stream') return printFile(context.io, data as ReadableStream<Uint8Array>)
  if (shape !== 'none') return context.result.value(data, { idMember, listMember })
  if (context.io.stdout.isTTY) await context.say('Done.')
}

async function printPages(
  context: Context,
  answer: PagePromise<unknown>,
  total: number,
  idMember: string | undefined,
): Promise<void> {
  let [left, last] = [total, null as Page<unknown> | null]
  async function* pages() {
    for await (const page of answer.pages()) {
      last = page
      yield page.data.slice(0, left)
      left -= page.data.length
      if (left <= 0) return
    }
  }
  await context.result.pages(pages(), { idMember })
  if (!context.io.stdout.isTTY || last === null) return
  const { pagination } = last as Page<unknown>
  const shown = Math.min(total, total - left)
  if (pagination.has_next || left < 0) await context.say(context.style.dim(moreText(shown, pagination.total)))
}

const moreText = (shown: number, all: number | null): string =>
  `${shown.toLocaleString('en')}${all === null ? '' : ` of ${all.toLocaleString('en')}`} shown: --all shows all, --limit more.`
