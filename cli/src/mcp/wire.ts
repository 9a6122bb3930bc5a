/** The members of a JSON-RPC message that decide how it is sent. */
export type Message = {
  id?: unknown
  method?: string
  params?: { name?: unknown; uri?: unknown; requestId?: unknown; _meta?: Record<string, unknown> }
}

const versionMember = 'io.modelcontextprotocol/protocolVersion'

/** The member of the parameters that the header `Mcp-Name` repeats. */
const nameMembers: Record<string, 'name' | 'uri'> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/** The headers that repeat parts of a message, as protocol version 2026-07-28 requires; none for older versions. */
export function headersFor({ method, params }: Message): Record<string, string> {
  const version = params?._meta?.[versionMember]
  if (typeof version !== 'string' || method === undefined) return {}
  const name = params?.[nameMembers[method] ?? 'name']
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(method in nameMembers && typeof name === 'string' ? { 'mcp-name': headerText(name) } : {}),
  }
}

/** A text as a header. A text that a header cannot contain is sent as base64: `=?base64?…?=`. */
function headerText(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

/** Returns the messages of an answer, which is JSON or a stream of events. */
export function messagesIn(type: string, text: string): unknown[] {
  if (type.includes('text/event-stream'))
    return text
      .split(/\r?\n\r?\n/)
      .map((event) =>
        event.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : [])),
      )
      .flatMap((lines) => (lines.length > 0 && lines[0] !== '' ? [JSON.parse(lines.join('\n'))] : []))
  if (!type.includes('json') || text === '') return []
  const message = JSON.parse(text)
  return message?.jsonrpc === '2.0' ? [message] : []
}
