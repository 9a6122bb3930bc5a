import { text } from 'node:stream/consumers'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { UsageError } from '../exit.ts'
import { write } from '../io.ts'
import { parsedJson } from '../operations/values.ts'
import { cutOff, printFile } from '../output/file.ts'
import { jsonOf, visible, visibleLines } from '../output/visible.ts'
import { exitCodeOfStatus, rawRequest, serverAddress } from '../raw-request.ts'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

export const api: Command = {
  name: 'api',
  args: ['<method>', '<path>'],
  summary: 'Send any request to the API, and print the whole answer',
  description:
    'Use it for requests that no other command sends. It prints each answer with its envelope, including error answers, and never retries. It asks for a confirmation before each DELETE, and before each request whose own command asks for a confirmation.',
  flags: { data: { value: 'json', text: 'The body as JSON, or `-` for standard input.' } },
  examples: ["api GET '/contacts?limit=1'", `api POST /contacts --data '{"email": "ada@example.com"}'`],
  async run(context, { args: [typed = '', path = ''], values }) {
    const method = typed.toUpperCase()
    if (!methods.includes(method))
      throw new UsageError(`The method must be ${methods.join(', ')}, not "${typed}".`)
    if (!path.startsWith('/'))
      throw new UsageError(`The path must begin with a slash, such as /contacts, not "${path}".`)
    const given = values.data === '-' ? await text(context.io.stdin) : (values.data as string | undefined)
    const body = given === undefined ? undefined : JSON.stringify(parsedJson('--data', given))
    const inner = path.replace(/^\/api\/v1(?=\/)/, '')
    if (await asksFirst(method, inner)) await context.confirm(`Send ${method} ${visible(path)}`)
    const url = `${serverAddress(context.access.baseUrl)}/api/v1${inner}`
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await rawRequest(context, url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    await print(context, answer)
    if (!answer.ok) await context.say(`crosswalk: ${answer.status} for ${method} ${visible(path)}`)
    return exitCodeOfStatus(answer.status)
  },
}

/** Returns whether the request is a DELETE, or whether the command of its operation asks for a confirmation. */
async function asksFirst(method: string, path: string): Promise<boolean> {
  if (method === 'DELETE') return true
  const { operations } = await import('../generated/operations.ts')
  const [plain = ''] = path.split('?')
  const isAsked = (template: string) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`).test(plain)
  return operations.some((one) => one.asks && one.method === method && isAsked(one.path))
}

/** Prints JSON with indents, and everything else as it is. */
async function print({ io }: Context, answer: Response): Promise<void> {
  if (!answer.headers.get('content-type')?.includes('json')) {
    if (answer.body) await printFile(io, answer.body)
    return
  }
  const text = await answer.text().catch(cutOff)
  const json = readJson(text)
  await write(io.stdout, json === undefined ? visibleLines(text) : `${jsonOf(json, 2)}\n`)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
