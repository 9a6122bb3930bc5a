import fs, { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from './config.ts'
import { readEncryptionKey } from './encryption-key.ts'

function newConfig() {
  const dataDir = mkdtempSync(join(tmpdir(), 'crosswalk-key-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  return readConfig({ DATA_DIR: dataDir })
}

/** Simulates a full disk: files can be created, but nothing can be written to them. */
function fillDisk(): () => void {
  const { writeFileSync } = fs
  const free = () => {
    fs.writeFileSync = writeFileSync
    syncBuiltinESMExports()
  }
  onTestFinished(free)
  fs.writeFileSync = (path, _data, options) => {
    writeFileSync(path, '', options)
    throw Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' })
  }
  syncBuiltinESMExports()
  return free
}

test('the file of the encryption key is created once, readable by its owner only', () => {
  const config = newConfig()
  const key = readEncryptionKey(config)
  expect(key).toHaveLength(32)
  expect(readEncryptionKey(config)).toEqual(key)
  expect(statSync(join(config.dataDir, 'encryption.key')).mode & 0o777).toBe(0o600)
  expect(readdirSync(config.dataDir)).toEqual(['encryption.key'])
})

test('an encryption key that could not be written to a full disk is created later', () => {
  const config = newConfig()
  const freeDisk = fillDisk()
  expect(() => readEncryptionKey(config)).toThrow('no space left')
  freeDisk()
  expect(readEncryptionKey(config)).toHaveLength(32)
})

test('white space around ENCRYPTION_KEY is ignored', () => {
  const hex = 'ab'.repeat(32)
  expect(readEncryptionKey(readConfig({ ENCRYPTION_KEY: `${hex}\n` }))).toEqual(Buffer.from(hex, 'hex'))
})
