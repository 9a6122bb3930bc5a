import { describe, expect, test } from 'vitest'
import { endpoints } from '../api.ts'
import { eventCatalog } from './catalog.ts'
import { eventSamples } from './samples.ts'

const readers = new Map(endpoints.map(({ name, permission }) => [name, permission]))

describe('the catalog of events', () => {
  test('the catalog of events describes each type once, in a sentence', () => {
    expect(new Set(eventCatalog.map(({ type }) => type)).size).toBe(eventCatalog.length)
    for (const { type, description } of eventCatalog) {
      expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/)
      expect(description).toMatch(/^[A-Z].*\.$/)
    }
  })

  test('each event in the catalog requires the permission to read its object', () => {
    const read = eventCatalog.filter(({ object }) => readers.get(`get_${object}`))
    expect(read.length).toBeGreaterThan(60)
    for (const { type, object, permission } of read)
      expect([type, permission]).toEqual([type, readers.get(`get_${object}`)])
  })

  test('the catalog has a sample event of each type, and samples of updates name the changed fields', () => {
    expect(eventSamples.map(({ type }) => type)).toEqual(eventCatalog.map(({ type }) => type))
    const updates = eventSamples.filter(({ type }) => type.endsWith('.updated'))
    for (const { type, changed } of updates) expect([type, changed?.length]).toEqual([type, 1])
  })
})
