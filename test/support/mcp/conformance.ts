import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream'

const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'

/** The suite needs seconds. If a scenario never ends, the test shows the last lines. */
const hangsMs = 100_000

export type Check = { scenario: string; id: string; status: string; errorMessage?: string }

/** A proxy that adds the credential to each request, because the suite has none. */
export async function startCredentialProxy(address: string, token: string) {
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    const options = { method: incoming.method, headers }
    const forwarded = request(new URL(incoming.url ?? '', address), options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      // An answer that is cut off on one side ends on the other.
      pipeline(answer, outgoing, () => {})
    })
    outgoing.once('close', () => forwarded.destroy())
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  const close = () => {
    const closed = new Promise((resolve) => proxy.close(resolve))
    proxy.closeAllConnections()
    return closed
  }
  return { url: `http://127.0.0.1:${port}/mcp`, close }
}

/**
 * Runs the unmodified conformance suite of the protocol, and returns each of its checks.
 * @param onLine is called with each line that the suite prints
 */
export async function runConformance(
  args: readonly string[],
  onLine: (line: string) => void = () => {},
): Promise<Check[]> {
  const folder = await mkdtemp(join(tmpdir(), 'crosswalk-conformance-'))
  try {
    const stdio = ['ignore', 'pipe', 'inherit'] as const
    const child = spawn(process.execPath, [suite, ...args, '-o', folder], {
      stdio: [...stdio],
      timeout: hangsMs,
    })
    const lines: string[] = []
    createInterface({ input: child.stdout! })
      .on('line', onLine)
      .on('line', (line) => lines.push(line))
    // It exits with 1 if a check failed: the caller compares the checks.
    await once(child, 'close')
    if (child.signalCode) throw new Error(`The suite did not end:\n${lines.slice(-20).join('\n')}`)
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('checks.json'))
    const checks = await Promise.all(
      files.toSorted().map(async (file) => {
        const [run = ''] = file.split('/')
        const scenario = run.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '')
        const read: Check[] = JSON.parse(await readFile(join(folder, file), 'utf8'))
        return read.map((check) => ({ ...check, scenario }))
      }),
    )
    return checks.flat()
  } finally {
    await rm(folder, { recursive: true })
  }
}
