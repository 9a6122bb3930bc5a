import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const typeNames: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' }

/**
 * Returns the bytes of the address for a name. null: the name has no address of this type. `unknown`: the name does
 * not exist. `silent`: no answer is sent.
 */
export type Answers = (name: string, type: string) => Buffer | null | 'unknown' | 'silent'

export type NameServer = {
  /** In the form of `setServers`: `127.0.0.1:5353`. */
  address: string
  /** The questions so far, such as `a.example A`. */
  questions: string[]
  close(): void
}

/** A DNS server on this machine, over UDP (RFC 1035). Its answers are not cacheable. */
export async function startNameServer(answers: Answers): Promise<NameServer> {
  const questions: string[] = []
  const socket = createSocket('udp4', (message, { port, address }) => {
    const { name, type, end } = questionOf(message)
    questions.push(`${name} ${type}`)
    const data = answers(name, type)
    if (data !== 'silent') socket.send(answerTo(message, end, data), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${socket.address().port}`, questions, close: () => void socket.close() }
}

/** The name and the type in the question of a DNS message (RFC 1035, section 4.1). */
function questionOf(message: Buffer): { name: string; type: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = typeNames[message.readUInt16BE(at + 1)] ?? 'other'
  return { name: labels.join('.').toLowerCase(), type, end: at + 5 }
}

function answerTo(message: Buffer, end: number, data: Buffer | null | 'unknown'): Buffer {
  const head = Buffer.alloc(12)
  message.copy(head, 0, 0, 2)
  head.writeUInt16BE(data === 'unknown' ? 0x8183 : 0x8180, 2)
  head.writeUInt16BE(1, 4)
  const question = message.subarray(12, end)
  if (!Buffer.isBuffer(data)) return Buffer.concat([head, question])
  head.writeUInt16BE(1, 6)
  const type = message.subarray(end - 4, end - 2)
  // A pointer to the question's name, the type, the class IN, and a lifetime of 0 seconds.
  const record = [Buffer.from([0xc0, 0x0c]), type, Buffer.from([0, 1, 0, 0, 0, 0, 0, data.length]), data]
  return Buffer.concat([head, question, ...record])
}
