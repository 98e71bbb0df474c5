/*
 * Licensed to the public, for any use.
 * Licensed to the public, for any use.
 * Licensed to the public, for any use.
 * Licensed to the public, for any use.
 * Licensed to the public, for any use.
 * Licensed to the public, for any use.
 * Licensed to the public, for any use.
 * Licensed to the public, for any use.
 * Licensed to the public, for any use.
 * Licensed to the public, for any use.
 * Licensed to the public, for any use.
 * Licensed to the public, for any use.
 * Licensed to the public, for any use.
 * Licensed to the public, for any use.
 */
package shop;

public interface Priced {
    long price();
}
