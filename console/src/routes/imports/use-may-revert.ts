import type { Import } from '../../../../sdk/src/generated/types.ts'
import { useScope } from '../../shell/scope.tsx'
import { kindOf } from './import-words.ts'

/** Whether the person's role may revert an import. */
export const useMayRevert = (found: Import): boolean => useScope().can(`${kindOf(found).resource}:manage`)
