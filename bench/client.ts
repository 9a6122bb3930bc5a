import { connect } from 'node:net'

export type Measured = {
  /** Answers per second. */
  rate: number
  /** Milliseconds. */
  p50: number
  p99: number
  answers: number
  /** Answers whose status was not 200. */
  others: number
}

export type LoadOptions = {
  url: string
  token?: string
  connections: number
  stop: { seconds: number } | { answers: number }
}

/**
 * Sends the same GET over and over on keep-alive connections, one request at a time on each. On bare sockets,
 * so that the measuring process takes as little as it can of the two cores that it shares with what it measures.
 */
export async function load({ url, token, connections, stop }: LoadOptions): Promise<Measured> {
  const { hostname, port, pathname, search } = new URL(url)
  const authorization = token ? `authorization: Bearer ${token}\r\n` : ''
  const request = Buffer.from(
    `GET ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}\r\n${authorization}\r\n`,
  )
  const times: number[] = []
  let others = 0
  let left = 'answers' in stop ? stop.answers : Number.POSITIVE_INFINITY
  const startedAt = performance.now()
  const endAt = 'seconds' in stop ? startedAt + stop.seconds * 1000 : Number.POSITIVE_INFINITY

  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname)
      let sentAt = 0
      let missing = -1
      let head = ''
      const send = () => {
        if (left-- <= 0 || performance.now() >= endAt) {
          socket.destroy()
          resolve()
          return
        }
        missing = -1
        head = ''
        sentAt = performance.now()
        socket.write(request)
      }
      socket.setNoDelay(true).on('connect', send).on('error', reject)
      socket.on('data', (chunk) => {
        if (missing < 0) {
          head += chunk.toString('latin1')
          const end = head.indexOf('\r\n\r\n')
          if (end < 0) return
          const length = /content-length: (\d+)/i.exec(head)
          if (!length) return reject(new Error(`No Content-Length: ${head.slice(0, 200)}`))
          if (!head.startsWith('HTTP/1.1 200')) others++
          missing = Number(length[1]) - (head.length - end - 4)
        } else missing -= chunk.length
        if (missing > 0) return
        times.push(performance.now() - sentAt)
        send()
      })
    })
  await Promise.all(Array.from({ length: connections }, one))
  const seconds = (performance.now() - startedAt) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return { rate: times.length / seconds, p50: at(0.5), p99: at(0.99), answers: times.length, others }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
