// Why a store did not do what it was asked, with the stable code.
export class StoreError extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export const unknown = (reference) =>
  new StoreError('cave_unknown_handle', `no original is stored under ${reference}; copy the handle exactly as the output gives it`);

export const corrupt = (reference, place) =>
  new StoreError('cave_store_corrupt', `what ${place} holds under ${reference} does not have that hash: damaged`);

export const tooLarge = (bytes, limit) =>
  new StoreError('cave_store_full', `an original of ${bytes} bytes is larger than the whole recovery store may be (${limit} bytes)`);
