import { people } from '../../records/kinds.ts'
import { RecordList } from '../../records/list/page.tsx'

export const PeoplePage = () => <RecordList kind={people} />
