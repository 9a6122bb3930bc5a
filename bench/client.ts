import { connect } from 'node:net'

export type Measured = {
  /** Answers per second. */
  rate: number
  /** Milliseconds. */
  p50: number
  p99: number
  answers: number
  /** Answers whose status was not the expected one. */
  others: number
}

export type LoadOptions = {
  url: string
  token?: string
  connections: number
  stop: { seconds: number } | { answers: number }
  /** Sends this as JSON with POST, instead of a GET, and expects a 201; `headers` of its own for each request. */
  post?: { body: unknown; headers?: () => string }
}

/**
 * Sends the same request over and over on keep-alive connections, one request at a time on each. On bare sockets,
 * so that the measuring process takes as little as it can of the two cores that it shares with what it measures.
 */
export async function load({ url, token, connections, stop, post }: LoadOptions): Promise<Measured> {
  const { hostname, port, pathname, search } = new URL(url)
  const authorization = token ? `authorization: Bearer ${token}\r\n` : ''
  const body = post ? JSON.stringify(post.body) : ''
  const length = post
    ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
    : ''
  const head = `${post ? 'POST' : 'GET'} ${pathname}${search} HTTP/1.1\r\nhost: ${hostname}\r\n${authorization}${length}`
  const fixed = Buffer.from(`${head}\r\n${body}`)
  const request = () => (post?.headers ? `${head}${post.headers()}\r\n${body}` : fixed)
  const expected = post ? 'HTTP/1.1 201' : 'HTTP/1.1 200'
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
      let answer = ''
      const send = () => {
        if (left-- <= 0 || performance.now() >= endAt) {
          socket.destroy()
          resolve()
          return
        }
        missing = -1
        answer = ''
        sentAt = performance.now()
        socket.write(request())
      }
      socket.setNoDelay(true).on('connect', send).on('error', reject)
      socket.on('data', (chunk) => {
        if (missing < 0) {
          answer += chunk.toString('latin1')
          const end = answer.indexOf('\r\n\r\n')
          if (end < 0) return
          const announced = /content-length: (\d+)/i.exec(answer)
          if (!announced) return reject(new Error(`No Content-Length: ${answer.slice(0, 200)}`))
          if (!answer.startsWith(expected)) others++
          missing = Number(announced[1]) - (answer.length - end - 4)
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
