import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect } from 'vitest'

// biome-ignore lint/suspicious/noExplicitAny: scripts read results, and assert their shape
type Result = any

/** The calls of a host for one sentence of its person. */
export type Task = {
  /** Calls a tool, with arguments that the sentence, the list of tools or an earlier result contains. */
  call: (name: string, args?: Record<string, unknown>) => Promise<Result>
  /** The number of calls, and of characters that the model reads in their results. */
  spent: { calls: number; characters: number }
  /** The questions that the host showed to its person. */
  asked: string[]
}

/**
 * A host without a model. Scripts choose the tools that it calls. The host checks that a model could know each
 * argument, and answers every form with yes, as its person would.
 */
export async function connectHost(address: string, token: string) {
  const asked: string[] = []
  const client = new Client(
    { name: 'scripted host', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
  )
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message)
    return { action: 'accept', content: { confirm: true } }
  })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit }))
  const { tools } = await client.listTools()
  const listed = JSON.stringify(tools)

  function start(sentence: string): Task {
    let known = `${sentence}\n${listed}`
    const spent = { calls: 0, characters: 0 }
    asked.length = 0
    const call = async (name: string, args: Record<string, unknown> = {}) => {
      for (const value of leavesOf(args)) expect(known, `${name}: where is ${value} from?`).toContain(value)
      const result = await client.callTool({ name, arguments: args })
      const [content] = result.content as { text: string }[]
      expect(result.isError, content?.text).not.toBe(true)
      known += `\n${content?.text}`
      spent.calls++
      spent.characters += content?.text.length ?? 0
      return result.structuredContent
    }
    return { call, spent, asked }
  }
  return { start, close: () => client.close() }
}

/** Every text and number in the arguments, as a model would read it. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [JSON.stringify(value).slice(1, -1)]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(leavesOf)
}
