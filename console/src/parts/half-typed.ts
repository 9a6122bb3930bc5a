import type { FormEvent } from 'react'

/**
 * Whether a form that is submitted has a half-typed day or time, which the browser takes for an empty one. The browser then
 * says so at the field.
 */
export function hasHalfTyped({ currentTarget: form }: FormEvent<HTMLFormElement>): boolean {
  const field = [...form.querySelectorAll('input')].find(({ validity }) => validity.badInput)
  field?.reportValidity()
  return field !== undefined
}
