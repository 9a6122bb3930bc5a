import { expect } from 'vitest'
import type { TestClient } from './app.ts'

/** The JSON result of a tool, or the text of its error. */
// biome-ignore lint/suspicious/noExplicitAny: tests read results, and assert their shape
export type ToolAnswer = { isError: boolean; text: string; result: any }

/** Calls a tool with a key, as an older host does, without a client library. */
export async function callTool(client: TestClient, name: string, args: object = {}): Promise<ToolAnswer> {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  const { status, text } = await client.post('/mcp', body, { prefix: '' })
  expect(status, text).toBe(200)
  const json = text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '')
  const { result, error } = JSON.parse(json)
  if (error) throw new Error(`${error.code}: ${error.message}`)
  const [{ text: shown = '' } = {}] = result.content
  return { isError: result.isError === true, text: shown, result: result.structuredContent }
}
