/** The start of the name of everything that is stored. */
export declare const prefix = "cw_";
export declare const read: (name: string) => string | null;
export declare function write(name: string, value: string): void;
export declare function remove(name: string): void;
/** The names that begin with `start`, in order. */
export declare const namesOf: (start: string) => string[];
/** Deletes everything, also if the visitor denies storage now. */
export declare function forgetAll(): void;
