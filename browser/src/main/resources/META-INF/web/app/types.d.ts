// What the server sends; see the classes of the packages resources and frames.

export interface Camera {
  id: string;
  vendor: string;
  model: string;
  serial: string;
  name: string;
  interface: string;
  recording: boolean;
  file?: string;
  reachable: boolean;
  present: boolean;
  configured: string;
  properties: Record<string, string>;
  parameters: Record<string, string>;
  open?: OpenCamera;
}

export interface OpenCamera {
  connection: string;
  accessMode: string;
  nodeMaps: string[];
  parameters: Record<string, string>;
  stream: StreamState;
}

export interface StreamState {
  running: boolean;
  ended: string;
  problem: string;
  protocol?: string;
  requested?: string;
  reason?: string;
  rdma?: { provider: string; device: string; mode: string; reason: string };
}

export interface Feature {
  name: string;
  display: string;
  type: string;
  visibility: string;
  standard: boolean;
  deprecated: boolean;
  streamable: boolean;
  cached: boolean;
  toolTip: string;
  description: string;
  pollingMillis?: number;
  selected?: string[];
  selectors?: string[];
  children?: Feature[];
}

/** Numbers are texts: those of a page do not have 64 bits. */
export interface FeatureValue {
  access?: string;
  value?: string;
  unit?: string;
  min?: string;
  max?: string;
  increment?: string;
  representation?: string;
  displayText?: string;
  maxLength?: string;
  length?: string;
  done?: boolean;
  validValues?: string[];
  entries?: { symbol: string; display: string; available: boolean; implemented?: boolean; error?: string }[];
  errors?: Record<string, string>;
}

export interface Tree {
  model: string;
  vendor: string;
  root: Feature;
  problems: { node: string; message: string; warning?: boolean }[];
}

export interface Parameter {
  name: string;
  values: string;
  default: string;
  unit: string;
  description: string;
  transports: string[];
}

export interface LayerInfo {
  index: number;
  component: string;
  format: string;
  family: string;
  source: number;
  region: number;
  filter?: string;
  role?: string;
  values: string[];
}

export interface Layer {
  sampleBytes: number;
  channels: number;
  format: number;
  width: number;
  height: number;
  index: number;
  bits: number;
  complete: boolean;
  converted: boolean;
  last: boolean;
  blockId: bigint;
  timestamp: bigint;
  offsetX: number;
  offsetY: number;
  component: bigint;
  pixels: Uint8Array | Uint16Array | Float32Array;
}

export interface View {
  low: number;
  high: number;
  gamma: number;
  falseColours: boolean;
  scale: number;
  x: number;
  y: number;
}

/** A rectangle, pixels. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** From one pixel to another. */
export interface Line {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export interface ConfiguredDevice {
  name: string;
  mac: string;
  serial: string;
  address: string;
  parameters: Record<string, string>;
}

export interface RecordingState {
  state: 'idle' | 'starting' | 'armed' | 'recording' | 'finishing';
  streaming: boolean;
  target: string;
  problem: string;
  folder: string;
  freeBytes: string;
  keptFrames: number;
  keptSeconds: number;
  keptBytes: string;
  limited: boolean;
  counts?: { frames: string; waiting: string; dropped: string; incomplete: string; bytes: string };
}

export interface RecordingEntry {
  name: string;
  bytes: string;
  modifiedMillis: number;
}

export interface Difference {
  feature: string;
  now?: string;
  other?: string;
}

export interface SettingFailure {
  feature: string;
  reason: string;
}

/** A value that was typed and not sent, and the selection that it belongs to. */
export interface Draft {
  feature: string;
  selection: [string, string][];
  value: string;
  failure: string;
}

export interface CameraAddress {
  present: string;
  current?: string;
  persistent?: string;
  enabled?: string[];
  controller?: string;
}

export interface Examination {
  pass: number;
  skip: number;
  warn: number;
  fail: number;
  findings: { group: string; check: string; subject: string; verdict: string; evidence: string; fix: string }[];
  script: string;
}

export interface LinkPlan {
  interface: string;
  megabitsPerSecond: number;
  source: string;
  load: number;
  warnings: string[];
  cameras: {
    id: string;
    name: string;
    problem: string;
    delayTicks?: string;
    packetBytes?: number;
    framesPerSecond?: number;
    linkBytesPerSecond?: number;
    tickHertz?: string;
    plannedTicks?: string;
  }[];
}

/** Of a camera; numbers of 64 bits are texts. */
export interface CameraEvent {
  /** Of the camera's events since it was opened. */
  number: number;
  name: string;
  timestamp: string;
  block: string;
  values: Record<string, string>;
}

export interface CameraClock {
  id: string;
  name: string;
  possible?: boolean;
  problem?: string;
  tickHertz?: string;
  PtpEnable?: boolean;
  PtpStatus?: string;
  PtpOffsetFromMaster?: string;
  PtpClockID?: string;
  PtpParentClockID?: string;
  PtpGrandmasterClockID?: string;
}

export interface ActionAnswer {
  id: string;
  name: string;
  status?: string;
  description?: string;
  accepted?: boolean;
  late?: boolean;
}

export interface UploadCheck {
  passed: boolean;
  checks: { check: string; passed: boolean; evidence: string }[];
  what?: string;
  confirmation?: string;
}
