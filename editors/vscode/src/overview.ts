// What the server answers to the view's questions; only the parts that are shown.

export interface Anchor {
  readonly entry_range: readonly [number, number];
  readonly speaker: string;
  readonly excerpt: string;
  readonly ts?: string;
}

export interface Candidate {
  readonly id: string;
  readonly kind: string;
  readonly headline: string;
  readonly source: { readonly session_id: string; readonly agent?: string };
  readonly rationale?: string;
  readonly evidence: readonly Anchor[];
}

/** A workflow that a consolidation offers; written by nobody but a person. */
export interface Offer {
  readonly slug: string;
  readonly reason: string;
  readonly text: string;
}

export interface HeldRun {
  readonly run_id: string;
  readonly created_at: string;
  readonly reason: string;
  readonly files: number;
}

export interface Run {
  readonly run_id: string;
  readonly started_at: string;
  readonly reason: string;
  readonly files: number;
}

export interface Activity {
  readonly at: string;
  readonly event: string;
  readonly actor?: string;
  readonly source?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly records?: readonly { readonly op?: string; readonly kind: string; readonly slug: string }[];
}

/** `omoide.overview`. `open`: how many candidates there are; `candidates` may be the first of them only. */
export interface Overview {
  readonly workspace: string;
  readonly records: Readonly<Record<string, number>>;
  readonly candidates: readonly Candidate[];
  readonly open: number;
  readonly invalid: readonly { readonly file: string; readonly reason: string }[];
  readonly held: readonly HeldRun[];
  readonly runs: readonly Run[];
  readonly failed: readonly {
    readonly session_id: string;
    readonly range: readonly number[];
    readonly reason: string;
  }[];
  readonly activity: readonly Activity[];
}

/** A row of `omoide.records`; of `omoide.search` also where the words stand. */
export interface RecordRow {
  readonly kind: string;
  readonly slug: string;
  readonly uri: string;
  readonly description: string;
  readonly updated_at: string | null;
  readonly status: string | null;
  readonly replaced_by: string | null;
  readonly resident: boolean;
  readonly broken: boolean;
  readonly use_count: number;
  readonly last_used_at: string | null;
  readonly excerpt?: string;
  readonly line?: number;
}

export interface Records {
  readonly records: readonly RecordRow[];
  readonly total: number;
}

export interface Hits {
  readonly hits: readonly RecordRow[];
  readonly stored: number;
}

export interface Session {
  readonly session_id: string;
  readonly agent: string;
  readonly entries: number;
  readonly updated_at: string | null;
  readonly unextracted_tokens: number;
  readonly title: string | null;
}

export interface Sessions {
  readonly sessions: readonly Session[];
  readonly unreadable: readonly string[];
}

/** `omoide/status`, which the server sends by itself. */
export interface Status {
  readonly workspace: string;
  readonly records: Readonly<Record<string, number>>;
  readonly loading: boolean;
  readonly problem: string | null;
  readonly problems: { readonly errors: number; readonly warnings: number; readonly hints: number } | null;
  readonly pending: { readonly files: number; readonly candidates: number } | null;
  readonly jobs: readonly string[];
}
