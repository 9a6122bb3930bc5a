import { OrgBusy } from '../platform/db/errors.ts'
import type { OutboundAnswer } from '../platform/outbound/answers.ts'
import type { Outbound } from '../platform/outbound/outbound.ts'
import { parseShortJson } from '../platform/outbound/untrusted-json.ts'
import { limitDocuments } from './limit-documents.ts'
import { currentAsker } from './network.ts'

/** Documents have 1 KiB. The library refuses larger ones too, without saying why. */
const maxBytes = 5 * 1024
const timeoutMs = 5_000

const tooMany = 'too many descriptions are being read for your network; wait 10 s, and start again'

/** Why the metadata document of a client was not read. A person may see the message: it names only the host. */
export class DocumentUnreadable extends Error {
  override name = 'DocumentUnreadable'
}

/**
 * Reads the metadata document of a client (OAuth Client ID Metadata Document, draft 02) from a public address: at most
 * 5 KiB of JSON, without redirects, within 5 s. Two are read at once for a network. A request reads each document once.
 * @throws DocumentUnreadable
 */
export async function fetchDocument(outbound: Outbound, url: string | URL): Promise<Response> {
  const { unread } = currentAsker()
  const address = String(url)
  const before = unread.get(address)
  if (before) throw before
  try {
    return await readDocument(outbound, address)
  } catch (error) {
    unread.set(address, error as Error)
    throw error
  }
}

async function readDocument(outbound: Outbound, url: string): Promise<Response> {
  const { host } = new URL(url)
  const unreadable = (why: string) => new DocumentUnreadable(`The description of the app at ${host}: ${why}`)
  const { status, headers, body } = await limitDocuments(() =>
    outbound.send({ method: 'GET', url, timeoutMs, maxBytes }),
  ).catch((error: Error): OutboundAnswer => {
    throw unreadable(error instanceof OrgBusy ? tooMany : error.message)
  })
  if (status !== 200) throw unreadable(`its status must be 200, without a redirect, and is ${status}`)
  const type = String(headers['content-type'] ?? '')
  if (!/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type))
    throw unreadable('its content type must be application/json')
  if (parseShortJson(body) === undefined) throw unreadable('it must be JSON with at most 100 levels')
  const kept = ['content-type', 'cache-control', 'expires'].flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as [string, string]] : []
  })
  return new Response(new Uint8Array(body), { status, headers: kept })
}
