import type { Client, Options } from './options.ts';
/** The client of this page. There is one, however often it is asked for. */
export declare function init(key: string, given: Options): Client;
export declare const client: Client;
