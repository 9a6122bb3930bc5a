import { useEffect, useRef } from 'react'
import { useNavigate, useSearch } from '../../routing/use-router.ts'
import type { ListSearch } from '../list-search.ts'

/** Opens the dialog for a new record if the address asks for it, as the command menu does. The address then asks no more. */
export function useAskedNew(open: () => void): void {
  const { new: isAsked } = useSearch() as ListSearch
  const navigate = useNavigate()
  const called = useRef(open)
  called.current = open
  useEffect(() => {
    if (!isAsked) return
    called.current()
    void navigate({ to: '.', search: (all: object) => ({ ...all, new: undefined }), replace: true })
  }, [isAsked, navigate])
}
