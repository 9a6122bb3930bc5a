import { people } from '../../records/kinds.ts'
import { RecordPage } from '../../records/record/page.tsx'

export const PersonPage = () => <RecordPage kind={people} />
