import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { setCeilings } from '../../src/orgs/operator.ts'
import { type Answer, startTestApp, type TestApp, type TestClient, type TestOrg } from '../support/app.ts'
import { fromNewAddress } from '../support/new-address.ts'
import { OwnRedis } from '../support/own-redis.ts'
import { patience } from '../support/patience.ts'
import { cleanUp, command, newDataDir } from '../support/processes.ts'
import { redisOrSkip } from '../support/redis-or-skip.ts'

const unhandled = vi.fn()
for (const event of ['unhandledRejection', 'uncaughtException']) process.on(event, unhandled)
afterAll(async () => {
  await cleanUp()
  for (const event of ['unhandledRejection', 'uncaughtException']) process.off(event, unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

const remaining = ({ headers }: Answer) => Number(headers.get('x-ratelimit-remaining'))
const refused = (answers: Answer[]) => answers.filter(({ status }) => status === 429)

type Node = TestApp & { said: string[] }

async function startNode(redisUrl: string, first?: TestApp): Promise<Node> {
  const said: string[] = []
  const write = (line: string) => {
    const { msg } = JSON.parse(line) as { msg: string }
    if (msg.startsWith('Redis ')) said.push(line)
  }
  const log = pino({ level: 'info' }, { write })
  return Object.assign(await startTestApp({ redisUrl, trustProxy: true }, first, log), { said })
}

describe.each(redisOrSkip())('two nodes and $version', (installed) => {
  let redis: OwnRedis
  let nodes: [Node, Node]
  beforeAll(async () => {
    redis = await OwnRedis.create(installed)
    const first = await startNode(redis.url)
    nodes = [first, await startNode(redis.url, first)]
  })
  afterAll(async () => {
    for (const node of nodes?.toReversed() ?? []) await node.close()
    await redis?.remove()
  })

  const on = (node: TestApp, org: TestOrg): TestClient => node.client(org.token)
  async function limitedOrg(ceilings: Parameters<typeof setCeilings>[2] = {}): Promise<TestOrg> {
    const org = await nodes[0].newOrg({ limited: true })
    await nodes[0].operate((tx) => setCeilings(tx, org.orgId, ceilings))
    return org
  }
  async function redisOf(node: TestApp): Promise<string> {
    const { status, body } = await node.stranger.get('/readyz', { prefix: '' })
    expect(status).toBe(200)
    return body.redis
  }
  async function gaugeOf(node: TestApp): Promise<string | undefined> {
    const { text } = await node.stranger.get('/metrics', { prefix: '' })
    return /^crosswalk_redis_up (.*)$/m.exec(text)?.[1]
  }
  async function all(state: 'up' | 'down'): Promise<void> {
    for (const node of nodes) await expect.poll(() => redisOf(node), patience).toBe(state)
  }
  /** Returns the log lines since the last call, and empties the list. */
  const listen = () => {
    for (const { said } of nodes) said.length = 0
    return () => nodes.map(({ said }) => said.map((line) => JSON.parse(line).msg.split(':')[0]))
  }
  /**
   * Checks that each node logs once that Redis is down, and once that it is up. A busy node may also lose Redis
   * without an outage.
   */
  function expectTurns(heard: string[][]): void {
    for (const each of heard) {
      expect(each.length).toBeGreaterThan(0)
      expect(each).toEqual(
        each.map((_, index) => (index % 2 === 0 ? 'Redis is unavailable' : 'Redis answers')),
      )
    }
  }
  /** Returns answers that came within one second while Redis was up, after several tries on a busy machine. */
  async function within1s(start: () => Promise<(() => Promise<Answer>)[]>): Promise<Answer[]> {
    for (let tries = 0; tries < 10; tries++) {
      await all('up')
      const heard = listen()
      const requests = await start()
      const startedAt = performance.now()
      const answers = await Promise.all(requests.map((send) => send()))
      if (performance.now() - startedAt < 1_000 && heard().flat().length === 0) return answers
    }
    throw new Error('This machine is too busy for this test')
  }
  const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item)

  test('two nodes together accept exactly 50 requests a second of an org', async () => {
    const answers = await within1s(async () => {
      const org = await limitedOrg()
      return nodes.flatMap((node) => times(40, () => on(node, org).get('/organization')))
    })
    expect(refused(answers)).toHaveLength(30)
    const granted = answers.filter(({ status }) => status === 200)
    expect(new Set(granted.map(remaining))).toEqual(new Set(Array.from({ length: 50 }, (_, n) => 950 + n)))
    for (const { headers } of refused(answers)) expect(headers.get('retry-after')).toBe('1')
  })

  test('under a flood, two nodes together accept no more requests in a second than one node would', async () => {
    for (let tries = 0; tries < 10; tries++) {
      const org = await limitedOrg({ perSecond: 20 })
      await all('up')
      const heard = listen()
      const startedAt = performance.now()
      let granted = 0
      const greedy = async (client: TestClient) => {
        while (performance.now() - startedAt < 3_500) {
          if ((await client.get('/organization')).status === 200) granted++
          else await delay(15)
        }
      }
      await Promise.all(nodes.flatMap((node) => times(4, node).map((each) => greedy(on(each, org)))))
      const seconds = (performance.now() - startedAt) / 1_000
      // If a node lost Redis for a moment, the nodes counted separately: try again.
      if (heard().flat().length > 0) continue
      expect(granted).toBeLessThanOrEqual(20 * (Math.floor(seconds) + 1))
      expect(granted).toBeGreaterThanOrEqual(20 * 2)
      return
    }
    throw new Error('This machine is too busy for this test')
  })

  test('two nodes together accept 20 requests a second from one address without a key', async () => {
    const answers = await within1s(async () => {
      const options = { headers: fromNewAddress() }
      return nodes.flatMap((node) => times(13, () => node.stranger.get('/contacts', options)))
    })
    expect(refused(answers)).toHaveLength(6)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(20)
  })

  test('each node reports Redis in /readyz and /metrics', async () => {
    await all('up')
    for (const node of nodes) expect(await gaugeOf(node)).toBe('1')
  })

  test('two nodes count separately while Redis is down, and together again once Redis is back', async () => {
    const org = await limitedOrg({ perSecond: null, perMinute: 50_000 })
    const small = await limitedOrg({ perSecond: null, perMinute: 5 })
    await all('up')
    const heard = listen()
    for (let sent = 0; sent < 3; sent++) await on(nodes[0], small).get('/organization')

    let running = true
    let answered = 0
    const client = async (node: Node) => {
      while (running) {
        const { status } = await on(node, org).get('/organization')
        expect(status).toBe(200)
        answered++
        await delay(3)
      }
    }
    const clients = nodes.flatMap((node) => [client(node), client(node)])
    await redis.signal('SIGKILL')
    await all('down')
    for (const node of nodes) expect(await gaugeOf(node)).toBe('0')
    const soFar = answered
    await expect.poll(() => answered, patience).toBeGreaterThan(soFar + 200)
    // Without Redis, each node counts only its own requests.
    const statuses = async (node: Node) => {
      const answers = []
      for (let sent = 0; sent < 6; sent++) answers.push((await on(node, small).get('/organization')).status)
      return answers
    }
    expect(await statuses(nodes[0])).toEqual([200, 200, 429, 429, 429, 429])
    expect(await statuses(nodes[1])).toEqual([200, 200, 200, 200, 200, 429])

    await redis.start()
    await all('up')
    running = false
    await Promise.all(clients)
    expectTurns(heard())
    const left = async () => {
      const fresh = await limitedOrg()
      const answers = []
      for (const node of [...nodes, ...nodes]) answers.push(await on(node, fresh).get('/organization'))
      return answers.map(remaining)
    }
    await expect.poll(left, patience).toEqual([999, 998, 997, 996])
  })

  test('two nodes answer without waiting for a Redis that does not respond', async () => {
    const [node] = nodes
    const org = await nodes[0].newOrg()
    await all('up')
    await on(node, org).get('/organization')
    await redis.signal('SIGSTOP')
    try {
      const get = () => on(node, org).get('/organization')
      const answers = await Promise.all(times(10, get).map((send) => send()))
      expect(await redisOf(node)).toBe('down')
      const hundred = async () => {
        const startedAt = performance.now()
        for (let sent = 0; sent < 100; sent++) answers.push(await get())
        return performance.now() - startedAt
      }
      // If each request waited for Redis, all would take 5 s. Try again on a busy machine.
      let ms = await hundred()
      for (let tries = 1; tries < 5 && ms >= 4_000; tries++) ms = await hundred()
      expect(ms).toBeLessThan(4_000)
      expect(answers.map(({ status }) => status)).toEqual(times(answers.length, 200))
    } finally {
      await redis.signal('SIGCONT')
    }
    await all('up')
  })

  test('two nodes count separately while Redis refuses writes', async () => {
    await all('up')
    const org = await limitedOrg()
    const heard = listen()
    await redis.run('CONFIG', 'SET', 'maxmemory', '1')
    for (const node of nodes) {
      await expect
        .poll(async () => {
          expect((await on(node, org).get('/organization')).status).toBe(200)
          return redisOf(node)
        }, patience)
        .toBe('down')
    }
    await redis.run('CONFIG', 'SET', 'maxmemory', '0')
    await all('up')
    expectTurns(heard())
  })

  test('two nodes start without Redis, and connect to it later', async () => {
    const later = await OwnRedis.create(installed)
    onTestFinished(() => later.remove())
    await later.signal('SIGKILL')
    const node = await startNode(later.url, nodes[0])
    onTestFinished(() => node.close())
    expect(await redisOf(node)).toBe('down')
    expect((await on(node, await limitedOrg()).get('/organization')).status).toBe(200)
    await later.start()
    await expect.poll(() => redisOf(node), patience).toBe('up')
  })

  test('two nodes never show the password of Redis', async () => {
    const wrong = new URL(redis.url)
    wrong.password = 'geheim'
    const node = await startNode(wrong.toString(), nodes[0])
    onTestFinished(() => node.close())
    expect(await redisOf(node)).toBe('down')
    expect(node.said).toHaveLength(1)
    expect(node.said[0]).toMatch(/WRONGPASS/)
    expect(node.said[0]).not.toMatch(/geheim/)
  })

  test('doctor shows whether Redis works', async () => {
    const DATA_DIR = newDataDir()
    const fine = await command('doctor', { DATA_DIR, REDIS_URL: redis.url })
    expect(fine).toMatchObject({ code: 0, stderr: '' })
    expect(fine.stdout).toMatch(new RegExp(`^redis +redis://127.0.0.1:${redis.port}/0$`, 'm'))
    expect(fine.stdout).toMatch(/^redis_server +(Redis|Valkey) \d+\.\d+/m)
    const wrong = redis.url.replace(/:[^:]*@/, ':geheim@')
    const refused = await command('doctor', { DATA_DIR, REDIS_URL: wrong })
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Redis .*WRONGPASS.*REDIS_URL/) })
    expect(refused.stdout).toMatch(/^redis_server +away$/m)
    expect(refused.stdout + refused.stderr).not.toMatch(/geheim/)
  })
})

test('without REDIS_URL, /readyz, /metrics and doctor do not mention Redis', async () => {
  const app = await startTestApp()
  onTestFinished(() => app.close())
  const { body } = await app.stranger.get('/readyz', { prefix: '' })
  expect(body).toEqual({ status: 'ready', database: 'up', schema: 'up to date' })
  expect((await app.stranger.get('/metrics', { prefix: '' })).text).not.toContain('crosswalk_redis')
})
