import type { Page, PagePromise } from '../../../sdk/src/main.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../exit.ts'
import { printFile } from '../output/file.ts'
import type { Operation } from './operation.ts'

/**
 * Prints the answer of an operation, and returns the exit code.
 * @param total the number of items of a list to print
 */
export async function printAnswer(
  context: Context,
  { shape, idMember, listMember }: Operation,
  answer: unknown,
  total: number,
): Promise<number> {
  if (shape === 'page') {
    await printPages(context, answer as PagePromise<unknown>, total, idMember)
    return exitCodes.done
  }
  const data = await answer
  if (shape === 'stream') await printFile(context.io, data as ReadableStream<Uint8Array>)
  else if (shape !== 'none') await context.result.value(data, { idMember, listMember })
  else if (context.io.stdout.isTTY) await context.say('Done.')
  return hasFailures(data) ? exitCodes.refused : exitCodes.done
}

/** Returns whether some items of a batch or rows of a file failed, or the test of a webhook endpoint or a CRM connection. */
function hasFailures(answer: unknown): boolean {
  if (Array.isArray(answer)) return answer.some((item) => Object(item).outcome === 'failed')
  const { refusals, outcome, works } = Object(answer) as {
    refusals?: readonly unknown[]
    outcome?: unknown
    works?: unknown
  }
  return outcome === 'failed' || works === false || (refusals !== undefined && refusals.length > 0)
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
