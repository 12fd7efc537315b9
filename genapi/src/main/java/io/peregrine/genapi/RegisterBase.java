package io.peregrine.genapi;

/** What nodes with bytes behind a port share. */
abstract class RegisterBase extends BaseNode implements RegisterBacked {
    final RegisterAccess register;

    RegisterBase(NodeContext context, Element element, String name) {
        super(context, element, name);
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
        return operateLong(() -> register.address());
    }

    @Override
    public final long lengthBytes() {
        return operateLong(() -> register.length());
    }

    @Override
    public final byte[] bytes() {
        return operate(() -> {
            checkReadable();
            return register.read().bytes.clone();
        });
    }

    @Override
    public final void setBytes(byte[] bytes) {
        run(() -> {
            checkWritable();
            if (bytes.length != register.length()) {
                throw new GenApiRangeException(
                        "Node " + name + " takes " + register.length() + " bytes, not " + bytes.length);
            }
            writing(true, () -> register.write(bytes));
        });
    }
}
