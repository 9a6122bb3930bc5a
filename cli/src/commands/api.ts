import { text } from 'node:stream/consumers'
import type { Command } from '../command.ts'
import { UsageError } from '../exit.ts'
import { write } from '../io.ts'
import { parsedJson } from '../operations/values.ts'
import { jsonOf, visibleLines } from '../output/visible.ts'
import { exitCodeOfStatus, rawRequest, serverAddress } from '../raw-request.ts'

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

export const api: Command = {
  name: 'api',
  args: ['<method>', '<path>'],
  summary: 'Send any request to the API, and print the whole answer',
  description:
    'For requests that no other command sends. It prints each answer with its envelope, including error answers, and never retries.',
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
    if (method === 'DELETE') await context.confirm(`Send DELETE ${path}`)
    const url =
      serverAddress(context.access.baseUrl) + (path.startsWith('/api/v1/') ? path : `/api/v1${path}`)
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await rawRequest(context, url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    const answered = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json')
    const { stdout } = context.io
    const shown = isJson
      ? `${jsonOf(JSON.parse(answered), 2)}\n`
      : stdout.isTTY
        ? visibleLines(answered)
        : answered
    await write(stdout, shown)
    if (!answer.ok) await context.say(`crosswalk: ${answer.status} for ${method} ${path}`)
    return exitCodeOfStatus(answer.status)
  },
}
