import { useRef, useState } from 'react'
import { ApiError } from '../../../sdk/src/errors.ts'

/**
 * Saves only the settings that a person changed. If somebody else changed the object since it was read, nothing is saved
 * and `theirs` names what they changed. The next `save` overwrites only what the person changed.
 * @param thing as it was when the form opened; null: a new one, which has nothing to compare with
 */
export function useChanges<Thing extends { version: number }, Settings extends object>(
  thing: Thing | null,
  {
    settingsOf,
    names,
    others,
    read,
    update,
  }: {
    settingsOf: (thing: Thing) => Settings
    /** The names of the settings in the form. */
    names: Record<keyof Settings, string>
    /**
     * The name in `theirs` if only values outside the form changed, such as “status”. null: such a change does not matter
     * to the person, and the form is saved.
     */
    others: string | null
    read: (thing: Thing) => Promise<Thing>
    update: (thing: Thing, changes: Partial<Settings>, version: number) => Promise<unknown>
  },
): { theirs: readonly string[]; save: (settings: Settings) => Promise<boolean> } {
  const [version, setVersion] = useState(thing?.version ?? 0)
  const [theirs, setTheirs] = useState<readonly string[]>([])
  /** What the form saved while it stayed open. Its version is not known. */
  const own = useRef<Settings | null>(null)
  /** @returns false: somebody else changed the object meanwhile */
  const save = async (settings: Settings): Promise<boolean> => {
    if (!thing) return false
    const before = own.current ?? settingsOf(thing)
    const changes = changesOf(settings, before)
    if (Object.keys(changes).length === 0) return true
    const store = async (ifMatch: number) => {
      await update(thing, changes, ifMatch)
      own.current = { ...before, ...changes }
      return true
    }
    try {
      return await store(version)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'version_conflict')) throw error
      const current = await read(thing)
      const found = Object.keys(changesOf(settingsOf(current), before)).map(
        (name) => names[name as keyof Settings],
      )
      setVersion(current.version)
      if (found.length === 0 && (others === null || own.current)) return await store(current.version)
      setTheirs(found.length > 0 ? found : [others ?? ''])
      return false
    }
  }
  return { theirs, save }
}

/** The settings that differ between two versions. */
const changesOf = <Settings extends object>(settings: Settings, others: Settings): Partial<Settings> =>
  Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(others[name as keyof Settings]),
    ),
  ) as Partial<Settings>
