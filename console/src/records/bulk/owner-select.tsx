import { useState } from 'react'
import { Select } from '../../parts/field.tsx'
import { useGivenOwners } from '../owners.ts'

type Choice = readonly [value: string, name: string]

/** The owner that a person chooses for records. `id` is null for nobody, and undefined until the person chooses. */
export type ChosenOwner = {
  id: string | null | undefined
  name: string
  value: string
  choices: readonly Choice[]
  choose: (value: string) => void
}

/** Begins without an owner: by accident, Enter would take the owner away from many records otherwise. */
export function useChosenOwner(): ChosenOwner {
  const { owners, mayBeNobody } = useGivenOwners()
  const [value, choose] = useState('')
  const nobody: Choice[] = mayBeNobody ? [['nobody', 'Nobody']] : []
  const choices = [['', 'Choose…'] as const, ...owners, ...nobody]
  const name = choices.find((choice) => choice[0] === value)?.[1] ?? ''
  return { id: value === 'nobody' ? null : value || undefined, name, value, choices, choose }
}

/** The field in which a person chooses an owner. */
export function OwnerSelect({ owner, disabled = false }: { owner: ChosenOwner; disabled?: boolean }) {
  const { value, choices, choose } = owner
  return <Select label="Owner" value={value} disabled={disabled} options={choices} onChange={choose} />
}
