# Wraps the compiler.
if [ "$ARCH" == "arm64" ]; then
	SDK=phone
	PLATFORM=ios
else
	SDK=simulator
	PLATFORM=ios-simulator
fi
SDK_PATH=`xcrun --sdk $SDK --show-sdk-path`
export TARGET=5.1
CLANG=$(xcrun --sdk $SDK --find clang)
exec "$CLANG" -isysroot "$SDK_PATH" "$@"
