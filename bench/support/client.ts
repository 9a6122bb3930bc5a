import { connect } from 'node:net'

export type Measured = {
  rate: number
  /** The median response time in milliseconds, like the other percentiles. */
  p50: number
  p99: number
  answers: number
  /** How many answers had another status than expected. */
  others: number
  bytes: number
}

export type Stop = { seconds: number } | { answers: number }

export type Requests = {
  /** The text of the next request, with its request line; null after the last one. */
  next(): string | Buffer | null
  /** Whether an answer with this status line and headers is as expected. */
  isExpected(head: string): boolean
  /** Called with each answer, decoded as `latin1`. */
  onAnswer?(answer: string): void
}

/**
 * Sends requests on keep-alive connections, one at a time on each. It uses bare sockets, because it shares two cores
 * with the measured process.
 */
export async function drive(
  address: string,
  connections: number,
  stop: Stop,
  requests: Requests,
): Promise<Measured> {
  const { hostname, port } = new URL(address)
  const times: number[] = []
  let others = 0
  let bytes = 0
  let left = 'answers' in stop ? stop.answers : Number.POSITIVE_INFINITY
  const startedAt = performance.now()
  const endAt = 'seconds' in stop ? startedAt + stop.seconds * 1000 : Number.POSITIVE_INFINITY

  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname)
      let sentAt = 0
      let missing = -1
      let answer = ''
      const send = () => {
        const request = left-- <= 0 || performance.now() >= endAt ? null : requests.next()
        if (request === null) {
          socket.destroy()
          resolve()
          return
        }
        missing = -1
        answer = ''
        sentAt = performance.now()
        socket.write(request)
      }
      socket.setNoDelay(true).on('connect', send).on('error', reject)
      socket.on('close', () => reject(new Error('The server closed a connection')))
      socket.on('data', (chunk) => {
        if (missing < 0) {
          answer += chunk.toString('latin1')
          const end = answer.indexOf('\r\n\r\n')
          if (end < 0) return
          const announced = answer.startsWith('HTTP/1.1 204')
            ? ['', '0']
            : /content-length: (\d+)/i.exec(answer)
          if (!announced) return reject(new Error(`No Content-Length: ${answer.slice(0, 200)}`))
          if (!requests.isExpected(answer)) others++
          bytes += Number(announced[1])
          missing = Number(announced[1]) - (answer.length - end - 4)
        } else {
          if (requests.onAnswer) answer += chunk.toString('latin1')
          missing -= chunk.length
        }
        if (missing > 0) return
        times.push(performance.now() - sentAt)
        requests.onAnswer?.(answer)
        send()
      })
    })
  await Promise.all(Array.from({ length: connections }, one))
  const seconds = (performance.now() - startedAt) / 1000
  times.sort((a, b) => a - b)
  return {
    ...{
      rate: times.length / seconds,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      answers: times.length,
      others,
    },
    bytes: bytes / times.length,
  }
}

export type LoadOptions = {
  url: string
  token?: string
  connections: number
  stop: Stop
  /**
   * The body of a POST, whose expected status is 201. By default, GETs are sent. Each request can have its own
   * `headers`.
   */
  post?: { body: unknown; headers?: () => string }
}

export function load({ url, token, connections, stop, post }: LoadOptions): Promise<Measured> {
  const { origin, host, pathname, search } = new URL(url)
  const authorization = token ? `authorization: Bearer ${token}\r\n` : ''
  const body = post ? JSON.stringify(post.body) : ''
  const length = post
    ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
    : ''
  const head = `${post ? 'POST' : 'GET'} ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\n${authorization}${length}`
  const fixed = Buffer.from(`${head}\r\n${body}`)
  return drive(origin, connections, stop, {
    next: () => (post?.headers ? `${head}${post.headers()}\r\n${body}` : fixed),
    isExpected: (answer) => answer.startsWith(post ? 'HTTP/1.1 201' : 'HTTP/1.1 200'),
  })
}

/** The quantile of sorted values: this share (0 to 1) of the values is below the result. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
