import { mayStore } from './consent.ts'

/** The start of the name of everything that is stored. */
export const prefix = 'cw_'

/** Values that cannot or may not be stored. They are lost when the page ends. */
const memory = new Map<string, string>()

/** localStorage; null: the browser forbids it, or the visitor denies it. */
function storage(): Storage | null {
  try {
    return mayStore() ? localStorage : null
  } catch {
    return null
  }
}

export const read = (name: string): string | null => memory.get(name) ?? storage()?.getItem(name) ?? null

export function write(name: string, value: string): void {
  memory.set(name, value)
  try {
    const local = storage()
    local?.setItem(name, value)
    if (local) memory.delete(name)
  } catch {
    // The storage is full.
  }
}

export function remove(name: string): void {
  memory.delete(name)
  storage()?.removeItem(name)
}

/** The names that begin with `start`, in order. */
export const namesOf = (start: string): string[] =>
  [...memory.keys(), ...Object.keys(storage() ?? {})].filter((name) => name.startsWith(start)).sort()

/** Deletes everything, even if the visitor denies storage now. */
export function forgetAll(): void {
  memory.clear()
  try {
    for (const name of Object.keys(localStorage)) if (name.startsWith(prefix)) localStorage.removeItem(name)
  } catch {
    // The browser forbids it, so nothing is there.
  }
}
