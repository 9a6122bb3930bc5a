import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test, vi } from 'vitest'
import { readConfig } from '../platform/config.ts'
import { PasswordHasher, passwordFault } from './passwords.ts'

const person = (password: string | null) => async () => ({ password })
const home = '10.0.0.1'
// No environment variable may lower the cost.
const { passwordCost } = readConfig({ PASSWORD_COST: '1', passwordCost: '1' })

describe('checking a password', () => {
  test('a password is accepted in every normal form of Unicode, and no other password is', async () => {
    const passwords = new PasswordHasher(passwordCost)
    const stored = await passwords.hash(home, 'zwölf grüne Fahrräder')
    expect(stored).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/=]{24}\$[\w+/=]{44}$/)
    expect(
      await passwords.verify(home, 'zwölf grüne Fahrräder'.normalize('NFD'), person(stored)),
    ).not.toBeNull()
    expect(await passwords.verify(home, 'zwolf grune Fahrrader', person(stored))).toBeNull()
    expect(await passwords.verify(home, '', person(null))).toBeNull()
  })

  test('a password is still accepted after the cost of new ones has changed', async () => {
    const stored = await new PasswordHasher(2).hash(home, 'seven green bicycles')
    expect(await new PasswordHasher(1).verify(home, 'seven green bicycles', person(stored))).not.toBeNull()
  })

  test.runIf(process.platform === 'linux')(
    'a check of a password gets only the time of the processor that requests do not need',
    async () => {
      const passwords = new PasswordHasher(passwordCost)
      let isOver = false
      const check = passwords.hash(home, 'seven green bicycles').then(() => {
        isOver = true
      })
      const niceOf = async (thread: string) =>
        // The fields after the name of the program: proc_pid_stat(5).
        Number((await readFile(`/proc/self/task/${thread}/stat`, 'utf8')).split(') ')[1]?.split(' ')[16])
      const found = new Set<number>()
      while (!isOver)
        for (const thread of await readdir('/proc/self/task')) found.add(await niceOf(thread).catch(() => 0))
      await check
      expect([...found].sort()).toEqual([0, 10])
    },
  )

  test('checking a password takes the same CPU time for a person who does not exist, within 5 %', async () => {
    const passwords = new PasswordHasher(13)
    const stored = await passwords.hash(home, 'seven green bicycles')
    const times = { known: [] as number[], unknown: [] as number[] }
    // Compare the shortest times, because other processes make the others longer. A busy machine needs more rounds
    // until both have an undisturbed one.
    const ratio = () => Math.min(...times.known) / Math.min(...times.unknown)
    for (let round = 0; round < 10 || (Math.abs(ratio() - 1) >= 0.05 && round < 300); round++) {
      for (const [kind, hash] of [
        ['known', stored],
        ['unknown', null],
      ] as const) {
        const from = process.cpuUsage()
        await passwords.verify(home, 'wrong', person(hash))
        const { user, system } = process.cpuUsage(from)
        times[kind].push(user + system)
      }
    }
    expect(ratio()).toBeGreaterThan(0.95)
    expect(ratio()).toBeLessThan(1.05)
  })

  test('the server checks one password of an address at a time; other addresses wait, and the 33rd gets 503', async () => {
    const passwords = new PasswordHasher(1)
    const from = (network: string) => passwords.hash(network, 'seven green bicycles')
    const flood = Array.from({ length: 20 }, () => from('10.0.0.1'))
    const people = Array.from({ length: 31 }, (_, n) => from(`10.1.${n}.1`))
    const late = expect(from('10.0.2.1')).rejects.toMatchObject({
      code: 'sign_in_busy',
      retryAfterSeconds: 5,
    })
    // A check that is refused does not look for the person: a flood of them would keep the database busy.
    const find = vi.fn()
    await expect(passwords.verify('10.0.3.1', 'x', find)).rejects.toMatchObject({ code: 'sign_in_busy' })
    expect(find).not.toHaveBeenCalled()
    const flooded = await Promise.allSettled(flood)
    expect(flooded.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(flooded[1]).toMatchObject({ reason: { code: 'sign_in_in_progress', retryAfterSeconds: 1 } })
    await late
    expect(await Promise.all(people)).toHaveLength(31)
    expect(await Promise.all([from('10.0.0.1'), from('10.0.2.1')])).toHaveLength(2)
  })

  test('an address gets its turn while many networks of one client guess passwords', async () => {
    const passwords = new PasswordHasher(1)
    const ended: string[] = []
    const from = (network: string) =>
      passwords.hash(network, 'seven green bicycles').then(
        () => ended.push(network),
        ({ code }) => ended.push(code),
      )
    const guesses = Array.from({ length: 40 }, (_, n) => from(`2001:db8:1:${n}`))
    await Promise.all([from('192.0.2.1'), from('2001:db8:2:0')])
    expect(ended.filter((each) => each.startsWith('2001:db8:1:')).length).toBeLessThan(8)
    await Promise.all(guesses)
    // 32 of the 40 run or wait. Two of them make room.
    expect(ended.filter((each) => each === 'sign_in_busy')).toHaveLength(10)
    expect(ended).toHaveLength(42)
  })

  test('after a password check throws an error, the address can try again', async () => {
    const passwords = new PasswordHasher(1)
    const refuse = () => Promise.reject(new Error('not now'))
    for (let n = 0; n < 3; n++) await expect(passwords.verify(home, 'x', refuse)).rejects.toThrow('not now')
  })
})

describe('a new password', () => {
  const names = ['ada@acme.example', 'Ada Lovelace', 'Contoso']
  test.each([
    ['seven green bicycles', null],
    ['ÄÖÜß 12345 äöüß', null],
    ['only14letters!', /at least 15/],
    ['x'.repeat(257), /at most 256/],
    ['abababababababab', /repeats/],
    ['ada@acme.example', /name or address/],
    ['ContosoContoso1!', /name or address/],
    ['PasswordPassword', /most common/],
    ['Password12345678', /most common/],
    ['qwertyqwertyqwerty', /most common/],
  ])('the new password %j is accepted, or refused with a reason', (password, fault) => {
    const found = passwordFault(password, names)
    if (fault === null) expect(found).toBeNull()
    else expect(found).toMatch(fault)
  })

  test('a new password needs only 8 characters together with a second factor', () => {
    expect(passwordFault('7 green!', names, true)).toBeNull()
    expect(passwordFault('7 green', names, true)).toMatch(/at least 8/)
  })
})
