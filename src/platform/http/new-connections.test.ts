import { array, assert, constantFrom, integer, property, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { NewConnections } from './new-connections.ts'

/** Tries `times` connections of the network at once. Returns how many may open. */
function openAtOnce(connections: NewConnections, network: string, times: number, now: number): number {
  let opened = 0
  for (let tried = 0; tried < times; tried++) if (connections.mayOpen(network, now)) opened++
  return opened
}

test('a network opens 1,000 connections at once, and then 500 a second', () => {
  const connections = new NewConnections(0)
  expect(openAtOnce(connections, 'a', 5_000, 0)).toBe(1_000)
  expect(openAtOnce(connections, 'a', 5_000, 99)).toBe(0)
  expect(openAtOnce(connections, 'a', 5_000, 100)).toBe(50)
  expect(openAtOnce(connections, 'a', 5_000, 1_100)).toBe(500)
  expect(openAtOnce(connections, 'a', 5_000, 60_000)).toBe(1_000)
})

test('ten networks open 2,000 a second together, and each the same number', () => {
  const connections = new NewConnections(0)
  const opened = new Map<string, number>()
  for (let now = 0; now < 60_000; now += 100)
    for (let network = 0; network < 10; network++) {
      const name = `network ${network}`
      opened.set(name, (opened.get(name) ?? 0) + openAtOnce(connections, name, 500, now))
    }
  const counts = [...opened.values()]
  const sum = counts.reduce((total, count) => total + count, 0)
  expect(sum).toBeGreaterThan(115_000)
  expect(sum).toBeLessThan(125_000)
  expect(Math.min(...counts.slice(1)) / Math.max(...counts.slice(1))).toBeGreaterThan(0.95)
})

test('a network that has opened no connection always gets one', () => {
  const floods = array(
    tuple(constantFrom('a', 'b', 'c', 'd'), integer({ min: 0, max: 3_000 }), integer({ min: 0, max: 500 })),
  )
  assert(
    property(floods, (steps) => {
      const connections = new NewConnections(0)
      let now = 0
      for (const [network, times, wait] of steps) {
        openAtOnce(connections, network, times, now)
        now += wait
        expect(connections.mayOpen(`new at ${now}`, now)).toBe(true)
      }
    }),
  )
})
