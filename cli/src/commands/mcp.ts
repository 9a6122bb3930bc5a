import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { UsageError } from '../exit.ts'
import { write } from '../io.ts'
import { bridge, type Post } from '../mcp/bridge.ts'
import { rawRequest, serverAddress } from '../raw-request.ts'

export const mcp: Command = {
  name: 'mcp',
  args: [],
  summary: 'Connect an AI host on this machine to the tool server, through standard input and output',
  description:
    'Use it for hosts that start a program, such as Claude Desktop. The host gets the tools that the API key may use. Put the key into the profile, or into CROSSWALK_API_KEY in the settings of the host.',
  examples: ['mcp --profile acme'],
  async run(context) {
    const { io } = context
    if (io.stdin.isTTY)
      throw new UsageError('An AI host starts this command. See docs/guides/connect-ai-hosts.md.')
    // Refuse a missing key here: a host shows this error, but not the errors of later messages.
    context.access.key()
    await bridge(io.stdin, (line) => write(io.stdout, `${line}\n`), poster(context), io.signal)
    return undefined
  },
}

const triesMax = 5
const pauseMs = 500

/** Repeats a message only if the server refused the connection, so that no tool runs twice. */
function poster(context: Context): Post {
  const url = `${serverAddress(context.access.baseUrl)}/mcp`
  return async (body, more, signal) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...more,
    }
    const both = AbortSignal.any([signal, context.io.signal])
    for (let tries = 1; ; tries++) {
      try {
        return await rawRequest(context, url, { method: 'POST', headers, body, signal: both })
      } catch (error) {
        if (tries === triesMax || both.aborted || !/ECONNREFUSED/.test((error as Error).message)) throw error
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
  }
}
