import type { Page, PagePromise } from '../../../sdk/src/main.ts'
import type { Context } from '../context.ts'
import { write } from '../io.ts'
import { visible } from '../output/visible.ts'
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
  if (shape === 'stream') return printFile(context, data as ReadableStream<Uint8Array>)
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

/** Copies a file to standard output. On a terminal, its controls are shown. */
async function printFile({ io }: Context, file: ReadableStream<Uint8Array>): Promise<void> {
  if (!io.stdout.isTTY) {
    for await (const chunk of file) await write(io.stdout, chunk)
    return
  }
  const texts = file.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
  for await (const text of texts) await write(io.stdout, text.split(/\r?\n/).map(visible).join('\n'))
}
