package io.peregrine.genapi;

/** What nodes with bytes behind a port share. */
abstract class RegisterBase extends BaseNode implements RegisterBacked {
    final RegisterAccess register;

    RegisterBase(NodeMap map, Element element, String name) {
        super(map, element, name);
        register = new RegisterAccess(this);
    }

    @Override
    final AccessMode ownAccess() {
        return register.access();
    }

    @Override
    final void dropCache() {
        register.drop();
    }

    @Override
    final CachingMode caching() {
        return register.caching();
    }

    @Override
    boolean hasValue() {
        return true;
    }

    @Override
    void readValue() {
        register.read();
    }

    @Override
    public final long address() {
        map.enter(this);
        try {
            return register.address();
        } finally {
            map.exit();
        }
    }

    @Override
    public final long lengthBytes() {
        map.enter(this);
        try {
            return register.length();
        } finally {
            map.exit();
        }
    }

    @Override
    public final byte[] bytes() {
        map.enter(this);
        try {
            checkReadable();
            return register.read().bytes.clone();
        } finally {
            map.exit();
        }
    }

    @Override
    public final void setBytes(byte[] bytes) {
        map.enter(this);
        try {
            checkWritable();
            if (bytes.length != register.length()) {
                throw new GenApiRangeException(
                        "Node " + name + " takes " + register.length() + " bytes, not " + bytes.length);
            }
            writing(true, () -> register.write(bytes));
        } finally {
            map.exit();
        }
    }
}
